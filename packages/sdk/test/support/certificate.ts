/** A self-signed certificate for `localhost` and `api.test`, and its key: for loopback servers in tests, worth nothing elsewhere. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBVzCB/qADAgECAgEBMAoGCCqGSM49BAMCMBoxGDAWBgNVBAMMD3ZlY3Rvcmxl
c3MgdGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGjEYMBYG
A1UEAwwPdmVjdG9ybGVzcyB0ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
oQ5fsNnfny1pW5REIc+vsHdOOFjduVQAcxFqJz1kkgeQA7Qmc64rTZQbB384uQ/0
j6tSqTdBjZfWoRaZqSw4N6MzMDEwHgYDVR0RBBcwFYIJbG9jYWxob3N0gghhcGku
dGVzdDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIGBAD7jSokTr
8AEe7FxsztWIUoOCTj8ZkU1hmTBdRppfAiEAkEIZLO56NXgRaqA+uv5EDBk8qaaT
vKvQ9vVX/1lh5Lk=
-----END CERTIFICATE-----
`;

export const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgiR6kfw4kp7iUTqSA
GlpA6lEjrbT3knTC3JfB1amwDg6hRANCAAShDl+w2d+fLWlblEQhz6+wd044WN25
VABzEWonPWSSB5ADtCZzritNlBsHfzi5D/SPq1KpN0GNl9ahFpmpLDg3
-----END PRIVATE KEY-----
`;

import type { Sections } from './client.ts';
import { toSection } from './mapping.ts';
import { segment } from './path.ts';
import type { RequestFunction } from './request.ts';

export function createSections(request: RequestFunction): Sections {
  return {
    async get(sectionId, options) {
      return request(
        { method: 'GET', path: `/v1/sections/${segment(sectionId, 'section')}`, retry: 'safe' },
        async (answer) => toSection(await answer.json()),
        options,
      );
    },
  };
}

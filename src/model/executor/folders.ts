/** Where executors live in the opened folder (D36). Apart, so that looking whether there are any loads nothing else. */
export const EXECUTORS_FOLDER = '.lathe/executors/skills';
export const AUDIT_FOLDER = '.lathe/executors/audit';

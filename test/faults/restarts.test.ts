/**
 * Operators that start, end or take over, and engines that hang. The files share one platform, because its start takes a
 * minute. The leader comes first, as a new operator also reconciles the hospitals of the other files.
 */
import './leader.ts';
import './writes.ts';
import './recovery.ts';
import './key-rotation.ts';
import './suspension.ts';
import './deletion-blocked.ts';
import './force-delete.ts';

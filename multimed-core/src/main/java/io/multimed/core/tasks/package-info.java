/**
 * Tasks that executors and event loops run later.
 *
 * <p>Input: a task. Output: the same task, whose failure somebody hears of. Runs on the thread of the task.
 */
@NullMarked
package io.multimed.core.tasks;

import org.jspecify.annotations.NullMarked;

package dev.sluice.stages.io;

/**
 * The state of a file. A thread proceeds only if it has queued the file or has taken it from the queue.
 *
 * <pre>
 *            signal             perform
 *      IDLE -------> QUEUED ----------------> PERFORMING
 *        ^           |  ^ ^                        |
 *        +-- rest ---+  | +-------- ended ---------+
 *                       |
 *   QUEUED -- await --> WAITING -- resume --> QUEUED
 * </pre>
 *
 * <p>If the stage's queue is closed, the thread that has made it {@code QUEUED} abandons it immediately.
 */
enum FileState {

    /** Without requests. */
    IDLE,

    /** In the stage's queue, or being served. */
    QUEUED,

    /** A request is being performed. */
    PERFORMING,

    /**
     * The application's queue has not accepted a completion; a notification of space, or a timer, will resume the file.
     */
    WAITING
}

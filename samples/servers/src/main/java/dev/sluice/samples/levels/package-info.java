/**
 * Several service levels in one process (Leader/Followers paper, 10.2, and its Half-Sync/Half-Async comparison): each
 * is a group of its own, with a listening socket, a handle set, a queue of jobs, timers and threads, and at a priority
 * of its own. Whatever one level's clients ask for, the threads of each other level are there for its own.
 *
 * <p>A group's threads take turns waiting on three kinds of event sources (10.5): the handle set brings requests; the
 * queue brings the jobs that they ask for, so that the thread that detects a request does not do the work before
 * another thread waits for the next request; and timers report what the level has done.
 *
 * <p>A line {@code ROUNDS TEXT} is answered by the SHA-256 digest of the text, digested again that many times; by
 * {@code busy} where the level's queue is full; and by {@code error WHY}.
 */
package dev.sluice.samples.levels;

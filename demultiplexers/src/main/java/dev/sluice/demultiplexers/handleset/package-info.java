/**
 * What the synchronous demultiplexers share: the state of a member of a handle set, the set itself, waking a waiter,
 * and the way an iterative mechanism lets other threads change its set while one of them waits.
 */
package dev.sluice.demultiplexers.handleset;

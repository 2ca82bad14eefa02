/**
 * Handling of exceptions of hooks in all patterns, as described in {@link dev.sluice.eventloop.EventLoop}. Not exported
 * to programs.
 */
package dev.sluice.hook;

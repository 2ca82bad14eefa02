/**
 * What becomes of whatever a user's code throws, for all patterns alike. {@link dev.sluice.eventloop.EventLoop} says
 * what that is. Not exported.
 */
package dev.sluice.hook;

/**
 * How all patterns treat whatever a user's code throws; {@link dev.sluice.eventloop.EventLoop} describes it. For this
 * library only.
 */
package dev.sluice.hook;

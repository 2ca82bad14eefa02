/**
 * How all patterns treat whatever a user's code throws; {@link dev.sluice.eventloop.EventLoop} describes it. Not
 * exported.
 */
package dev.sluice.hook;

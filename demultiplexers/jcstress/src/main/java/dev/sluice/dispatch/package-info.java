/** The moments at which a task can get lost or run twice, as tests for jcstress. */
package dev.sluice.dispatch;

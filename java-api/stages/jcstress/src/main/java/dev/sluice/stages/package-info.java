/** The moments at which an event can get lost, or slip in behind a close, as tests for jcstress. */
package dev.sluice.stages;

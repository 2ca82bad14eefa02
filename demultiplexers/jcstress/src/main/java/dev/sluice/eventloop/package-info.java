/** The moments at which a task of another thread can get lost or be slept through, as tests for jcstress. */
package dev.sluice.eventloop;

/** The moments at which a packet on its way out can get lost, or be two at once, as tests for jcstress. */
package dev.sluice.stages.io;

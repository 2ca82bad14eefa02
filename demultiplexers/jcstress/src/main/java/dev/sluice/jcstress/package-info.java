/** What tests for jcstress share: limits of their waits, and threads that stand by. */
package dev.sluice.jcstress;

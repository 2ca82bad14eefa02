/**
 * The moment at which a cancelled future could be completed twice, as a test for jcstress.
 */
package dev.sluice.proactor;

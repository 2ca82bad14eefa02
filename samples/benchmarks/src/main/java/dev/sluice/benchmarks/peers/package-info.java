/**
 * The servers that are measured: those that Sluice is compared with, each written and set up as its own documentation
 * recommends for speed, and how all of them are started and ended.
 */
package dev.sluice.benchmarks.peers;

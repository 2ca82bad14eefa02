/**
 * The programs of {@code samples/recipes} on Netty, and on {@code java.nio} where Netty has nothing: in as few lines as
 * keep the same promises about slow peers, failures and the stop. The guide shows the lines of both.
 */
package dev.sluice.benchmarks.recipes;

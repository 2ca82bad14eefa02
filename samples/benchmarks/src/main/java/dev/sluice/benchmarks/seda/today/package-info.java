/** Whether a staged server is still worth it where there are virtual threads: an open loop up to four times too much. */
package dev.sluice.benchmarks.seda.today;

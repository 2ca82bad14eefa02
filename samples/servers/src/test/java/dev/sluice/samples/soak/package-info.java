/**
 * The campaign about time: all samples under a mixed load of good and bad clients, and what they hold on to as it goes
 * on. {@link dev.sluice.samples.soak.SoakTest} runs it, {@link dev.sluice.samples.soak.LeakNoticedTest} shows what it
 * notices.
 */
package dev.sluice.samples.soak;

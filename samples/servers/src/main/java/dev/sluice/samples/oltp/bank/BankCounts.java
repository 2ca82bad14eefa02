package dev.sluice.samples.oltp.bank;

/**
 * What a bank has done since it was opened.
 *
 * @param deposits deposits made
 * @param repeats  requests that had been made before
 * @param refusals deposits that were refused
 * @param commits  transactions committed
 */
public record BankCounts(long deposits, long repeats, long refusals, long commits) {
}

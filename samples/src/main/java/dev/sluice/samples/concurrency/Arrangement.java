package dev.sluice.samples.concurrency;

/**
 * What a server of some model consists of.
 *
 * @param demultiplexer the name of one that the model works on
 * @param threads       how many, where the model lets one choose
 * @param handleSets    how many, where the model has several
 * @param pool          one of those that the model allows
 */
public record Arrangement(String demultiplexer, int threads, int handleSets, PoolDesign pool) {
}

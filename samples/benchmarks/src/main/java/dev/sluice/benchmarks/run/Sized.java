package dev.sluice.benchmarks.run;

/** A suite whose size the command line sets by one number. */
public interface Sized extends Suite {

    /** The smallest number. */
    int MIN_LOAD = 1;

    /** {@return the largest number} */
    int maxLoad();

    /**
     * {@return the same suite, of a size}
     *
     * @param load the number
     */
    Suite of(int load);
}

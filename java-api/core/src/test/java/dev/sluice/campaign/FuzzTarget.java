package dev.sluice.campaign;

/**
 * A property that must hold for any input of a parser. The class has a constructor without parameters, and a corpus:
 * the files of the resource directory {@code corpus/} plus its simple name, in its package.
 */
public interface FuzzTarget {

    /**
     * Checks one input. Called repeatedly; the result must not depend on earlier calls.
     *
     * @param input the octets
     * @throws Exception or an error, if the check fails
     */
    void check(byte[] input) throws Exception;
}

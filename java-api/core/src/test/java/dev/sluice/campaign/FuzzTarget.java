package dev.sluice.campaign;

/**
 * What is to be true of any input of a parser. A class with a constructor without arguments, and with a corpus: the
 * files of the directory {@code corpus/} and its simple name among the resources of its package.
 */
public interface FuzzTarget {

    /**
     * Tries one input. Called again and again: what one call does must not depend on those before it.
     *
     * @param input the octets
     * @throws Exception or an error, if anything is not as it has to be
     */
    void check(byte[] input) throws Exception;
}

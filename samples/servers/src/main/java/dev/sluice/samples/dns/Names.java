package dev.sluice.samples.dns;

/** The names of a name server. Used by several threads concurrently. */
@FunctionalInterface
interface Names {

    /**
     * Answers a question of the class IN.
     *
     * @param name the name
     * @param type the number of a type of records, or {@link RecordType#ANY}
     * @return the reply
     */
    Reply lookUp(DomainName name, int type);
}

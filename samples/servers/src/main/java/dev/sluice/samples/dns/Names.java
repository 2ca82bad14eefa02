package dev.sluice.samples.dns;

/** What a name server knows. Asked by many threads at once. */
@FunctionalInterface
interface Names {

    /**
     * Answers a question of the class IN.
     *
     * @param name the name
     * @param type the number of a type of records, or {@link RecordType#ANY}
     * @return what there is
     */
    Reply lookUp(DomainName name, int type);
}

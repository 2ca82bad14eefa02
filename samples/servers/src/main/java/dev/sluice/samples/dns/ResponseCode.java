package dev.sluice.samples.dns;

/** What a reply says of the query (RFC 1035 section 4.1.1). Declared in the order of the numbers. */
enum ResponseCode {

    /** It has been answered, perhaps by there being no such record. */
    NOERROR,
    /** It could not be understood. */
    FORMERR,
    /** The server has failed. */
    SERVFAIL,
    /** There is no such name. */
    NXDOMAIN,
    /** This server does not do such things. */
    NOTIMP,
    /** This server is not the one to ask. */
    REFUSED;

    int number() {
        return ordinal();
    }
}

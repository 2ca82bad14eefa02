package dev.sluice.samples.dns;

/** The response code of a reply (RFC 1035 section 4.1.1). Declared in the order of the numbers. */
enum ResponseCode {

    /** The query has been answered, possibly without records. */
    NOERROR,
    /** The query is malformed. */
    FORMERR,
    /** The server has failed. */
    SERVFAIL,
    /** There is no such name. */
    NXDOMAIN,
    /** This server does not support the query. */
    NOTIMP,
    /** This server refuses the query. */
    REFUSED;

    int number() {
        return ordinal();
    }
}

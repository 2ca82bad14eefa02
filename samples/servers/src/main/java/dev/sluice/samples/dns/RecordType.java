package dev.sluice.samples.dns;

/** The types of records that a zone may have, with their numbers (RFC 1035 section 3.2.2, RFC 3596 section 2.1). */
enum RecordType {

    A(1),
    NS(2),
    CNAME(5),
    SOA(6),
    PTR(12),
    MX(15),
    TXT(16),
    AAAA(28);

    /** The type of a question for records of every type (section 3.2.3). */
    static final int ANY = 255;
    /** The pseudo-record with a client's extensions (RFC 6891 section 6.1). */
    static final int OPT = 41;

    private final int number;

    RecordType(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}

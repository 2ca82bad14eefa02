package dev.sluice.samples.logging;

/** What a record was recognised as. */
public enum SyslogFormat {

    /** {@code <PRI>1 TIMESTAMP HOST APP PROCID MSGID SD [MSG]}. */
    RFC5424,

    /** A valid priority followed by anything that does not claim to be RFC 5424. */
    RFC3164,

    /** No valid priority, or a claim to be RFC 5424 that does not hold. */
    MALFORMED
}

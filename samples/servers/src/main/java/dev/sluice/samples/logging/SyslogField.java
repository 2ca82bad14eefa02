package dev.sluice.samples.logging;

/** The parts of a record that are text. */
public enum SyslogField {

    TIMESTAMP("timestamp", 32),
    HOST("host name", 255),
    /** RFC 5424's APP-NAME, RFC 3164's TAG without the process id. */
    APP("application name", 48),
    /** RFC 5424's PROCID; in RFC 3164, what stands in brackets after the tag. */
    PROCID("process id", 128),
    /** RFC 5424 only. */
    MSGID("message id", 32),
    /** RFC 5424 only; as received, escapes included. */
    STRUCTURED_DATA("structured data", Integer.MAX_VALUE),
    /** Without the byte order mark that may begin it in RFC 5424. */
    MESSAGE("message", Integer.MAX_VALUE);

    private final String label;
    private final int maxLength;

    SyslogField(String label, int maxLength) {
        this.label = label;
        this.maxLength = maxLength;
    }

    String label() {
        return label;
    }

    /** Octets, from RFC 5424 section 6; for a timestamp what its grammar amounts to. */
    int maxLength() {
        return maxLength;
    }
}

package dev.sluice.samples.dns;

/**
 * A message that does not conform to RFC 1035. It has no stack trace, because any client can send any number of such
 * messages.
 */
final class MalformedMessage extends Exception {

    private static final long serialVersionUID = 1;

    MalformedMessage(String what) {
        super(what, null, false, false);
    }
}

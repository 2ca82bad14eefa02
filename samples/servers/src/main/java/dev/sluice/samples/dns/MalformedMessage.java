package dev.sluice.samples.dns;

/** A message that is not as RFC 1035 has it. Anybody can send any number of them, so it costs no stack trace. */
final class MalformedMessage extends Exception {

    private static final long serialVersionUID = 1;

    MalformedMessage(String what) {
        super(what, null, false, false);
    }
}

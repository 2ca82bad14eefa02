package dev.sluice.samples.oltp.resp;

/**
 * How large a request may be.
 *
 * @param arguments most arguments, the command's name included
 * @param octets    most octets of all arguments together
 */
public record Limits(int arguments, int octets) {

    /** Plenty for any command that there is. */
    public static final Limits DEFAULT = new Limits(1024, 64 * 1024);
}

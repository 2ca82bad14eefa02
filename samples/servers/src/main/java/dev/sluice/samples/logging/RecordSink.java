package dev.sluice.samples.logging;

/**
 * What a {@link SyslogFramer} found in its byte stream, in stream order.
 *
 * <p>Each record of the stream, whole or not, leads to exactly one call. Calls come from within
 * {@link SyslogFramer#append}, {@link SyslogFramer#end} and {@link SyslogFramer#cut}, on the caller's thread; they must
 * not call back into the framer.
 */
public interface RecordSink {

    /**
     * A whole record without its framing.
     *
     * @param array  holds the record; not to be changed, and valid only until this call returns
     * @param offset index of the first octet
     * @param length octets, 1 to the framer's maximum
     */
    void record(byte[] array, int offset, int length);

    /**
     * A record longer than the framer's maximum, whose octets are skipped. An octet-counted one is reported as soon
     * as its length is known, a newline-framed one when its trailer, or the end of the stream, has been seen.
     *
     * @param length octets announced by the sender or seen on the stream, without framing
     */
    void oversized(long length);

    /**
     * The stream ended inside a record, which is dropped: an octet-counted one, or a newline-framed one when the stream
     * was cut rather than ended by its sender.
     *
     * @param announced octets the record should have had; -1 if it is newline-framed, or the stream ended inside the
     *                  count
     * @param received  octets of it that came, without framing; 0 inside the count
     */
    void truncated(long announced, long received);

    /**
     * The place where the next record begins is lost: everything from here on is discarded, the connection should be
     * closed.
     *
     * @param reason short English text, the same object each time for the same error
     */
    void framingError(String reason);
}

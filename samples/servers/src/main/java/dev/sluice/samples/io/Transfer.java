package dev.sluice.samples.io;

/** A message on its way to a client, as a {@link TransferFilter} sees it. For the thread that moves it. */
public interface Transfer {

    /** {@return the client's address; null if it is not needed} */
    String client();

    /** {@return what was asked, with an octet to a character; may contain anything} */
    String requestLine();

    /** {@return the outcome, in the three digits of HTTP, whatever the protocol; 0 if the message is an interim one} */
    int outcome();

    /** {@return how many octets of the message's body have been sent} */
    long bodySent();

    /** {@return the log of transfers; null if there is none} */
    AccessLog.Lines lines();

    /**
     * Limits how fast this message goes; of several limits, the lowest holds.
     *
     * @param octetsPerSecond at least 1
     */
    void limitRate(long octetsPerSecond);
}

package dev.sluice.samples.oltp.frontend;

/**
 * What came of a call.
 *
 * @param reply   the back-end's reply as it came, null if there is none
 * @param problem why there is none, null if there is one
 */
record Answer(byte[] reply, String problem) {
}

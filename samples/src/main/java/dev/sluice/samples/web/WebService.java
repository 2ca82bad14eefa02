package dev.sluice.samples.web;

import dev.sluice.samples.web.protocol.FileResponder;
import dev.sluice.samples.web.protocol.Limits;

/**
 * What all connections share, whichever way their octets move. Thread-safe.
 *
 * @param responder makes the replies
 * @param limits    how much a client may send
 * @param timeouts  how long it may take
 * @param fileIo    how files travel
 * @param log       of the requests; null for none
 */
record WebService(FileResponder responder, Limits limits, Timeouts timeouts, FileIo fileIo, AccessLog log) {
}

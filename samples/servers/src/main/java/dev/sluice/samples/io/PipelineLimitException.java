package dev.sluice.samples.io;

import java.io.IOException;

/** Thrown if a peer has pipelined more than the memory for it. */
final class PipelineLimitException extends IOException {

    private static final long serialVersionUID = 1L;

    PipelineLimitException(String message) {
        super(message);
    }
}

package dev.sluice.demultiplexers.operation;

import dev.sluice.demultiplexer.OperationType;

/** What an operation competes for with others on the same handle: those of one direction go one after the other. */
enum Direction {
    INPUT, OUTPUT,
    /** Competes with nothing. */
    NONE,
    /** Waits until it is the only one. */
    ALONE;

    static Direction of(OperationType type) {
        return switch (type) {
            case ACCEPT, ACCEPT_CONTINUOUSLY, RECEIVE, RECEIVE_CONTINUOUSLY, RECEIVE_FROM -> INPUT;
            case CONNECT, SEND, SEND_TO, TRANSMIT_FILE, SHUTDOWN -> OUTPUT;
            case POLL, OPEN, READ, WRITE, FORCE, TIMEOUT, POST -> NONE;
            case CLOSE -> ALONE;
        };
    }
}

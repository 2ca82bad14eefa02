package dev.sluice.mechanism.emulated;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Posix;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.mechanism.operation.Deadlines;
import dev.sluice.mechanism.operation.FilePool;
import dev.sluice.system.OperatingSystem;

/** The execution of each type of operation. */
final class Executions {

    private final Execution[] ofTypes = new Execution[OperationType.values().length];
    private final ReceiveContinuously receiving;

    Executions(Emulation emulation, Binding binding, Deadlines deadlines, FilePool files, FilePool opens) {
        Posix posix = binding.posix();
        OperatingSystem system = OperatingSystem.of(binding);
        receiving = new ReceiveContinuously(emulation, posix);
        put(OperationType.ACCEPT, new Accept(emulation, system, false));
        put(OperationType.ACCEPT_CONTINUOUSLY, new Accept(emulation, system, true));
        put(OperationType.CONNECT, new Connect(emulation, posix));
        put(OperationType.RECEIVE, new Receive(emulation, posix));
        put(OperationType.RECEIVE_CONTINUOUSLY, receiving);
        put(OperationType.SEND, new Send(emulation, posix));
        put(OperationType.RECEIVE_FROM, new ReceiveFrom(emulation, system));
        put(OperationType.SEND_TO, new Send(emulation, posix));
        put(OperationType.TRANSMIT_FILE, new TransmitFile(emulation, files, system));
        put(OperationType.SHUTDOWN, new Shutdown(emulation, system));
        put(OperationType.POLL, new Poll(emulation));
        put(OperationType.OPEN, new Open(emulation, opens, system));
        put(OperationType.READ, new Read(emulation, files, posix));
        put(OperationType.WRITE, new Write(emulation, files, posix));
        put(OperationType.FORCE, new Force(emulation, files, system));
        put(OperationType.CLOSE, new Close(emulation, files, system));
        put(OperationType.TIMEOUT, new Timeout(emulation, deadlines));
    }

    private void put(OperationType type, Execution execution) {
        ofTypes[type.ordinal()] = execution;
    }

    /** {@return the execution of a type that needs one} */
    Execution of(OperationType type) {
        return ofTypes[type.ordinal()];
    }

    /** {@return the one that must be provided with buffers} */
    ReceiveContinuously receiving() {
        return receiving;
    }
}

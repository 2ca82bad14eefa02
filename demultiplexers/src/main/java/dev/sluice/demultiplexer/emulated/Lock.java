package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Locking;

/** Locks a range of a file, by calls that do not wait for it, with pauses in between. */
final class Lock extends PooledAttempt<Locking> {

    private boolean pausing;

    Lock(Emulation emulation, Locking arguments) {
        super(emulation, arguments, emulation.files);
    }

    @Override
    long call() {
        return arguments.makeCall();
    }

    @Override
    protected void performed(long result) {
        if (!arguments.isToWait(result)) {
            outcomes.complete(operation, arguments.outcome(result), arguments.takeResource());
        } else if (operation.isCancelRequested()) {
            outcomes.complete(operation, -Errno.ECANCELED.number());
        } else {
            arguments.beginPause();
            emulation.deadlines.add(arguments);
            pausing = true;
        }
    }

    @Override
    protected void resumeDue() {
        pausing = false;
        begin();
    }

    @Override
    boolean stop() {
        if (!pausing) {
            return super.stop();
        }
        pausing = false;
        emulation.deadlines.remove(arguments);
        return true;
    }
}

package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.Pollfd;
import java.io.IOException;

/** Waits for a single descriptor, for the blocking forms of the facades. */
final class Poll {

    private Poll() {
    }

    static boolean one(Binding binding, int fd, int events, Deadline wait, String subject) throws IOException {
        Scratch scratch = Scratch.current(binding);
        int result;
        int millis;
        do {
            Pollfd.set(scratch.memory(), Scratch.VALUE, fd, events);
            millis = wait.pollMillis();
            result = binding.posix().poll(scratch.address(Scratch.VALUE), 1, millis);
        } while (Errno.EINTR.is(result) || result == 0 && millis == Integer.MAX_VALUE);
        if (result < 0) {
            throw new SystemCallException("poll", subject, result);
        }
        return result > 0;
    }
}

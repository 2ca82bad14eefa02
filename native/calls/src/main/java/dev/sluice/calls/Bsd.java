package dev.sluice.calls;

/**
 * The calls that macOS and the BSDs have and other Unix systems do not, under their C names; conventions as in
 * {@link Posix}. A function that the system's library does not export returns {@code -ENOSYS}.
 */
public interface Bsd {

    int kqueue();

    int kevent(int kq, long changes, int changeCount, long events, int eventCount, long timeout);
}

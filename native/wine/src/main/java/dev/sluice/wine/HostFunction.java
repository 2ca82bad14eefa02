package dev.sluice.wine;

/** A function of Windows, called in the host. Its results follow {@link dev.sluice.calls.Windows}. */
final class HostFunction {

    private static final int SOCKET_ERROR = -1;
    private static final long INVALID_HANDLE_VALUE = -1;

    private final Win32Host host;
    private final String name;
    private final long pointer;
    private final boolean mayBlock;

    HostFunction(Win32Host host, String name, long pointer, boolean mayBlock) {
        this.host = host;
        this.name = name;
        this.pointer = pointer;
        this.mayBlock = mayBlock;
    }

    /** {@return whether it may take arbitrarily long, so that only the end of the host ends it} */
    boolean mayBlock() {
        return mayBlock;
    }

    long pointer() {
        return pointer;
    }

    /**
     * Checks an argument that points to memory which the function reads or writes.
     *
     * @param argument its name
     * @param address  the address of the memory, or 0
     * @param length   how many bytes
     * @return the address
     * @throws IllegalArgumentException if the host does not see the memory
     */
    long seen(String argument, long address, long length) {
        if (address != 0 && !SharedRegion.contains(address, length)) {
            throw new IllegalArgumentException(name + ": " + argument + ": " + length + " bytes at 0x"
                    + Long.toHexString(address) + " do not lie in the memory shared with the Win32 host");
        }
        return address;
    }

    /** {@return the result as it is} */
    int call(long... arguments) {
        return (int) host.slot().call(this, arguments);
    }

    /** {@return the result, or the negated error if it is -1} */
    int intOrError(long... arguments) {
        Slot slot = host.slot();
        int result = (int) slot.call(this, arguments);
        return result != SOCKET_ERROR ? result : -slot.lastError();
    }

    /** {@return the result, or the negated error if it is {@code FALSE}} */
    int trueOrError(long... arguments) {
        Slot slot = host.slot();
        int result = (int) slot.call(this, arguments);
        return result != 0 ? result : -slot.lastError();
    }

    /** {@return the result, or the negated error if it is {@code INVALID_HANDLE_VALUE} or {@code INVALID_SOCKET}} */
    long handleOrError(long... arguments) {
        Slot slot = host.slot();
        long result = slot.call(this, arguments);
        return result != INVALID_HANDLE_VALUE ? result : -slot.lastError();
    }

    /** {@return the result, or the negated error if it is {@code NULL}} */
    long pointerOrError(long... arguments) {
        Slot slot = host.slot();
        long result = slot.call(this, arguments);
        return result != 0 ? result : -slot.lastError();
    }

    @Override
    public String toString() {
        return name;
    }
}

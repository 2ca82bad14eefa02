package dev.sluice.calls;

import java.util.Objects;

/**
 * One way of calling the operating system from Java: the calls of each family, and the memory that they see. The calls
 * are interfaces, so that a test can decorate them. Stateless and safe for use by any thread.
 */
public final class Binding {

    private final String name;
    private final Memory memory;
    private final Posix posix;
    private final Linux linux;

    /**
     * Puts a binding together.
     *
     * @param name   by which {@code -Dsluice.native} selects it, such as {@code ffm}
     * @param memory the memory that the calls can see
     * @param posix  the calls that all Unix systems share, null on a system that has none of them
     * @param linux  the calls that only Linux has, null on another system
     */
    public Binding(String name, Memory memory, Posix posix, Linux linux) {
        this.name = Objects.requireNonNull(name, "name");
        this.memory = Objects.requireNonNull(memory, "memory");
        this.posix = posix;
        this.linux = linux;
    }

    /** {@return the binding's name, such as {@code ffm}} */
    public String name() {
        return name;
    }

    /** {@return the memory that calls of this binding can see} */
    public Memory memory() {
        return memory;
    }

    /**
     * {@return the calls that all Unix systems share}
     *
     * @throws UnsupportedOperationException on a system that has none of them
     */
    public Posix posix() {
        return present(posix, "POSIX");
    }

    /**
     * {@return the calls that only Linux has}
     *
     * @throws UnsupportedOperationException on another system
     */
    public Linux linux() {
        return present(linux, "Linux");
    }

    private static <T> T present(T calls, String family) {
        if (calls == null) {
            throw new UnsupportedOperationException(Platform.CURRENT + " has no " + family + " calls");
        }
        return calls;
    }

    @Override
    public String toString() {
        return name;
    }
}

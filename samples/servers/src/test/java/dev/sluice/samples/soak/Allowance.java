package dev.sluice.samples.soak;

import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What a server holds on to, and how much of it may come by chance: a class loaded late, a pool that grows once. */
enum Allowance {
    HEAP(Look::heap, 32 << 10, true),
    NATIVE(Look::nativeBytes, 16 << 10, true),
    DIRECT(Look::direct, 64 << 10, true),
    THREADS(Look::threads, 2, false),
    DESCRIPTORS(Look::descriptors, 0.5, false),
    // Code that is compiled, metadata of classes and what malloc keeps come on top of all that is counted above.
    RESIDENT(Look::resident, 24 << 20, false);

    private final ToDoubleFunction<Look> what;
    private final double maximum;
    private final boolean toTheByte;

    Allowance(ToDoubleFunction<Look> what, double maximum, boolean toTheByte) {
        this.what = what;
        this.maximum = maximum;
        this.toTheByte = toTheByte;
    }

    /** {@return the name in reports} */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    ToDoubleFunction<Look> what() {
        return what;
    }

    double maximum() {
        return maximum;
    }

    /** {@return whether a loss of one byte per message has to show in it} */
    boolean isToTheByte() {
        return toTheByte;
    }
}

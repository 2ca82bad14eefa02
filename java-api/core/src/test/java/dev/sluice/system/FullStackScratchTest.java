package dev.sluice.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.MemoryInUse;
import dev.sluice.handle.ScarceMemory;
import dev.sluice.testing.Depth;
import dev.sluice.testing.FullStack;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A thread whose stack is full borrows memory for a call, and releases it. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class FullStackScratchTest extends LeakChecked {

    /** More than are needed to free memory. */
    private static final int MAX_FRAMES = 150;
    /** More than a pool keeps. */
    private static final int MANY = 100;

    private volatile boolean isBorrowed;
    private volatile boolean isPoolFull;

    @Test
    void memoryOfAnotherBindingIsNotLost() throws Exception {
        Binding binding = Bindings.current();
        Binding other = ScarceMemory.of(binding, () -> false);
        for (int frames = 0; frames < MAX_FRAMES; frames++) {
            Scratch.borrow(other).close();
            long before = MemoryInUse.bytes();
            int left = frames;
            run(frames, () -> FullStack.callWithFramesLeft(left, () -> Scratch.borrow(binding).close()));
            assertEquals(before, MemoryInUse.bytes(), () -> left + " frames left");
        }
        Scratch.borrow(binding).close();
    }

    /** Other threads release theirs in the meantime. */
    @Test
    void memoryThatNoPoolTakesIsNotLost() throws Exception {
        Binding binding = Bindings.current();
        for (int frames = 0; frames < MAX_FRAMES; frames++) {
            Stream.generate(() -> Scratch.borrow(binding)).limit(MANY).toList().forEach(Scratch::close);
            isBorrowed = false;
            isPoolFull = false;
            long before = MemoryInUse.bytes();
            Thread others = new Thread(() -> fillPool(binding), "others");
            others.start();
            int left = frames;
            run(frames, () -> FullStack.callWithFramesLeft(left, this::borrowUntilPoolIsFull));
            isBorrowed = true;
            others.join();
            assertEquals(before, MemoryInUse.bytes(), () -> left + " frames left");
        }
    }

    private void borrowUntilPoolIsFull() {
        Scratch scratch = Scratch.borrow(Bindings.current());
        isBorrowed = true;
        while (!isPoolFull) {
            // A call would need stack.
            continue;
        }
        scratch.close();
    }

    private void fillPool(Binding binding) {
        while (!isBorrowed) {
            Thread.onSpinWait();
        }
        Stream.generate(() -> Scratch.borrow(binding)).limit(MANY).toList().forEach(Scratch::close);
        isPoolFull = true;
    }

    private static void run(int frames, FullStack.Call call) throws InterruptedException {
        FullStack.run(frames + " frames left", Duration.ofSeconds(30), call);
    }
}

package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** Names the object that Windows' native interface opens. */
@CStruct(value = "OBJECT_ATTRIBUTES", headers = {"windows.h", "winternl.h"}, on = On.WINDOWS)
public final class ObjectAttributes {

    public static final int SIZE = 48;
    @CName("Length")
    public static final int LENGTH = 0;
    @CName("RootDirectory")
    public static final int ROOT_DIRECTORY = 8;
    @CName("ObjectName")
    public static final int OBJECT_NAME = 16;
    @CName("Attributes")
    public static final int ATTRIBUTES = 24;
    @CName("SecurityDescriptor")
    public static final int SECURITY_DESCRIPTOR = 32;
    @CName("SecurityQualityOfService")
    public static final int SECURITY_QUALITY_OF_SERVICE = 40;

    private ObjectAttributes() {
    }

    /** Names an object, in memory that is otherwise zero. */
    public static void set(ByteBuffer memory, int at, long name) {
        memory.putInt(at + LENGTH, SIZE);
        memory.putLong(at + OBJECT_NAME, name);
    }
}

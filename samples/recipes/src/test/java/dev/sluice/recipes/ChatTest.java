package dev.sluice.recipes;

class ChatTest extends ChatContract {

    ChatTest() {
        super(Recipe.of(Chat.class));
    }
}
